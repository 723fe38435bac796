// Binary frames of samples, as docs/reference/live-messages.md states them.

const HEADER = 24;

/// Decodes one frame. `low` and `high` have one Float64Array per channel; they are the same
/// arrays if the frame has one value per bucket. Throws if the bytes are no frame.
export function decodeFrame(bytes) {
  const view = new DataView(bytes);
  if (bytes.byteLength < HEADER || view.getUint32(0, false) !== 0x54525731)
    throw new Error(`The frame of ${bytes.byteLength} bytes does not begin with TRW1.`);
  const id = view.getUint16(4, true);
  const channels = view.getUint16(6, true);
  const first = Number(view.getBigInt64(8, true));
  const rowsPerBucket = view.getUint32(16, true);
  const buckets = view.getUint32(20, true);
  const one = channels * buckets * 8;
  const has = bytes.byteLength - HEADER;
  if (rowsPerBucket < 1 || (has !== one && has !== 2 * one))
    throw new Error(`The frame has ${has} bytes of values, expected ${one} or ${2 * one}.`);
  const pairs = one > 0 && has === 2 * one;
  const low = [];
  const high = [];
  for (let c = 0; c < channels; ++c) {
    const at = HEADER + c * buckets * (pairs ? 16 : 8);
    low.push(new Float64Array(bytes, at, buckets));
    high.push(pairs ? new Float64Array(bytes, at + buckets * 8, buckets) : low[c]);
  }
  return {id, first, rowsPerBucket, buckets, low, high};
}
