/*
 * The step protocol of the bus (docs/reference/bus-protocol.md), in lock-step and pseudo-dynamic mode: an
 * integrator, two sites, a network that loses, keeps back and repeats, and a world in which
 * either end dies at any point and comes back with what its journal holds.
 * docs/explanation/protocol-model.md tells what is modelled, what is not, and how to run it.
 *
 * Checked in every reachable state: the assertions below (each says which promise), and that
 * nothing ever stands still before the test is over.
 */
#ifndef STEPS
#define STEPS 2
#endif
#ifndef TROUBLES
#define TROUBLES 2
#endif
#define SITES 2
#define ROOM 2
#define at(s, k) ((s) * STEPS + (k))

mtype = { HELLO, RESUME, RESUMED, STEP, ANSWER, HALT, HOLDS, FAULTED, STOP, STOPPED };
mtype = { DOWN, BACK, RUNNING, HOLDING, FAULT, ENDED };       /* of a site */
mtype = { DEAD, CONDUCTS, HALTS, HELD, STOPS, DONE };         /* of the integrator */
mtype = { NOTHING, BEGIN, ARRIVE, KEEP };                    /* what a site does next */

chan down[SITES] = [ROOM] of { mtype, byte, byte };
chan up[SITES] = [ROOM] of { mtype, byte, byte };

/* How much may still happen, of any kind and in any order: a message is lost or comes again
   later, an end dies, a watchdog bites, a rig trips, an operator orders. */
byte troubles = TROUBLES;

/* A site's journal: results kept (of steps 0 .. kept - 1) and what they say, whether there is
   an intent to step `kept`, a latched fault, the end of the session. It survives a crash. */
byte kept[SITES];
byte kept_value[SITES * STEPS];
bool in_doubt[SITES];
bool latched[SITES];
bool ended[SITES];
/* A site's memory: it does not. */
mtype site[SITES] = RUNNING;
mtype next[SITES] = NOTHING;
byte executes[SITES];   /* the step */
byte command[SITES];    /* where the next motion begins */
byte seen[SITES];       /* the result that is not kept yet */
/* The rig: 2k at rest on the target of step k - 1, 2k + 1 on the way to that of step k. */
byte rig[SITES];
byte readings[SITES * STEPS];  /* how often a step was measured: makes results distinct */

/* The integrator's journal. */
byte closed;  /* steps whose results it holds, all of them */
byte result[SITES * STEPS];
/* Its memory. */
mtype integrator = CONDUCTS;
bool linked[SITES] = true;  /* the site has said that it runs */
bool answered[SITES];
byte answer[SITES];
bool agreed[SITES];         /* it has said that it holds, or that it stopped */
bool final;                 /* the run ends after this halt */

/* For the properties alone: nothing may move here until a person has said so. A halt says
   after which word of a person it was ordered: one that is older than the last forbids nothing. */
bool forbidden[SITES];
byte words;

#define talked_to(s) (nempty(down[s]) || nempty(up[s]))
#define quiet(s) (empty(down[s]) && empty(up[s]) && next[s] == NOTHING)
#define bystander(s) (site[s] == HOLDING || site[s] == BACK)

/* A full queue loses what is sent. */
inline send(channel, kind, a, b) {
  if
  :: nfull(channel) -> channel!kind(a, b)
  :: full(channel)
  fi
}

inline drain(channel) {
  do
  :: nempty(channel) -> channel?kind, a, b
  :: empty(channel) -> break
  od;
  kind = 0; a = 0; b = 0
}

inline send_answer(s, k) {
  send(up[s], ANSWER, k, kept_value[at(s, k)])
}

/* Holding where the rig is: an open step is given up, and stays in doubt. */
inline hold(s, state) {
  site[s] = state;
  next[s] = NOTHING;
  executes[s] = 0;
  command[s] = rig[s]
}

/* The intent is durable before anything moves. */
inline accept(s, k) {
  executes[s] = k;
#ifndef DROP_INTENT
  in_doubt[s] = (k == kept[s]);
#endif
  next[s] = BEGIN
}

inline on_step(s, k) {
  if
  :: site[s] == FAULT -> send(up[s], FAULTED, 0, 0)
  :: site[s] == ENDED -> send(up[s], STOPPED, 0, 0)
  :: bystander(s) -> send(up[s], HELLO, kept[s], in_doubt[s])
#ifdef DROP_DUPLICATE_CHECK
  :: site[s] == RUNNING && next[s] == NOTHING && k < kept[s] -> accept(s, k)
#else
  :: site[s] == RUNNING && k < kept[s] -> send_answer(s, k)
#endif
  :: site[s] == RUNNING && next[s] == NOTHING && k == kept[s] -> accept(s, k)
  :: else  /* being executed, a gap, or nobody there */
  fi
}

inline on_order(s, kind, k) {
  if
  :: site[s] == ENDED -> send(up[s], STOPPED, 0, 0)
  :: site[s] == FAULT && kind != STOP -> send(up[s], FAULTED, 0, 0)
  :: kind == STOP && site[s] != ENDED ->
     forbidden[s] = true;
     hold(s, ENDED);
     ended[s] = true;
     send(up[s], STOPPED, 0, 0)
  :: kind == HALT && site[s] != FAULT && site[s] != ENDED ->
     forbidden[s] = (forbidden[s] || k == words);
#ifndef IGNORE_HALT
     hold(s, HOLDING);
#endif
     send(up[s], HOLDS, 0, 0)
  :: kind == RESUME && site[s] != FAULT && site[s] != ENDED ->
     assert(k <= kept[s]);  /* the integrator has no result that the site did not keep */
     if
     :: bystander(s) -> site[s] = RUNNING
     :: else
     fi;
     send(up[s], RESUMED, kept[s], 0)
  fi
}

inline execute(s) {
  if
  :: next[s] == BEGIN ->
     assert(!forbidden[s]);                 /* no motion after a halt, a stop, a fault */
     assert(executes[s] == kept[s]);        /* no second motion, and no step left out */
     assert(closed >= executes[s]);         /* all results of the step before are in */
     assert(command[s] == rig[s]);          /* it begins where the rig is */
     /* A rig that has moved for this step moves on only where the journal says so. */
     assert(rig[s] == 2 * executes[s] || in_doubt[s]);
     assert(rig[s] >= 2 * executes[s] && rig[s] <= 2 * executes[s] + 2);
     rig[s] = 2 * executes[s] + 1;
     next[s] = ARRIVE
  :: next[s] == ARRIVE ->
     assert(!forbidden[s]);
     rig[s] = 2 * executes[s] + 2;
     command[s] = rig[s];
     readings[at(s, executes[s])]++;
     seen[s] = readings[at(s, executes[s])];
#ifdef ANSWER_BEFORE_KEEPING
     send(up[s], ANSWER, executes[s], seen[s]);
#endif
     next[s] = KEEP
  :: next[s] == KEEP ->
     kept_value[at(s, executes[s])] = seen[s];
     kept[s] = executes[s] + 1;
     in_doubt[s] = false;
     send_answer(s, executes[s]);
     executes[s] = 0;
     seen[s] = 0;
     next[s] = NOTHING
  fi
}

inline die(s) {
  troubles--;
  site[s] = DOWN; next[s] = NOTHING; executes[s] = 0; command[s] = 0; seen[s] = 0
}

proctype Site(byte s) {
  mtype kind;
  byte a, b;
  do
  /* Bookkeeping of a result is not interrupted by a message; a motion is. */
  :: d_step { site[s] != DOWN && next[s] != KEEP && down[s]?[kind, a, b] ->
       down[s]?kind, a, b;
       if
       :: kind == STEP -> on_step(s, a)
       :: else -> on_order(s, kind, a)
       fi;
       kind = 0; a = 0; b = 0 }
  :: d_step { next[s] != NOTHING -> execute(s) }
  :: d_step { site[s] == BACK && quiet(s) -> send(up[s], HELLO, kept[s], in_doubt[s]) }
  /* The watchdog. */
  :: d_step { troubles > 0 && site[s] == RUNNING && next[s] != KEEP ->
       troubles--;
       hold(s, HOLDING);
       send(up[s], HELLO, kept[s], in_doubt[s]) }
  :: d_step { troubles > 0 && site[s] == RUNNING && next[s] != KEEP ->
       troubles--;
       hold(s, FAULT);
       latched[s] = true;
       forbidden[s] = true;
       send(up[s], FAULTED, 0, 0) }
  /* It dies, and what was on its way to and from it is lost with it, or is not. */
  :: d_step { troubles > 0 && site[s] != DOWN && integrator != DONE -> die(s) }
  :: d_step { troubles > 0 && site[s] != DOWN && integrator != DONE && talked_to(s) ->
       die(s); drain(down[s]); drain(up[s]) }
  :: d_step { site[s] == DOWN ->
#ifdef BEGIN_FROM_ZERO
       command[s] = 0;
#else
       command[s] = rig[s];  /* measured */
#endif
       if
       :: ended[s] -> site[s] = ENDED
       :: !ended[s] && latched[s] -> site[s] = FAULT
       :: else -> site[s] = BACK
       fi }
  :: integrator == DONE && site[s] == ENDED -> break
  od
}

#define all(flag) (flag[0] && flag[1])
#define any(flag) (flag[0] || flag[1])

inline forget_answers() {
  answered[0] = false; answered[1] = false;
  answer[0] = 0; answer[1] = 0
}

inline say(s) {
  if
  :: integrator == CONDUCTS && !linked[s] -> send(down[s], RESUME, closed, 0)
  :: integrator == CONDUCTS && linked[s] -> send(down[s], STEP, closed, 0)
  :: integrator == HALTS || integrator == HELD -> send(down[s], HALT, words, 0)
  :: integrator == STOPS -> send(down[s], STOP, 0, 0)
  :: integrator == DONE
  fi
}

/* Halt goes out at once, whatever the sites are doing. */
inline go_to(phase) {
  integrator = phase;
  agreed[0] = false; agreed[1] = false;
  if
  :: phase == HALTS -> say(0); say(1)
  :: else
  fi
}

/* A person's word: the sites may move again, but for a latched fault and an ended session. */
inline permit() {
  words++;
  linked[0] = false; linked[1] = false;
  forbidden[0] = latched[0] || ended[0];
  forbidden[1] = latched[1] || ended[1]
}

inline hear(s, kind, a, b) {
  if
  :: kind == ANSWER && a < closed ->
     assert(b == result[at(s, a)])          /* asked again, it says the same */
  :: kind == ANSWER && a == closed ->
     assert(kept[s] > a && b == kept_value[at(s, a)]);  /* no used result can be lost */
     assert(!answered[s] || b == answer[s]);
     answered[s] = true;
     answer[s] = b
  :: kind == ANSWER && a > closed -> assert(false)
  :: kind == HELLO && (closed < STEPS || integrator != CONDUCTS) ->
     linked[s] = false;
     say(s)
  :: kind == RESUMED && integrator == CONDUCTS -> linked[s] = true
  :: kind == HOLDS && integrator == HALTS -> agreed[s] = true
  :: kind == FAULTED && integrator == HALTS -> agreed[s] = true; final = true
  :: kind == FAULTED && (integrator == CONDUCTS || integrator == HELD) ->
     go_to(HALTS); agreed[s] = true; final = true
  :: kind == STOPPED && integrator == STOPS -> agreed[s] = true
  :: kind == STOPPED && (integrator == CONDUCTS || integrator == HALTS || integrator == HELD) ->
     go_to(STOPS); agreed[s] = true; final = true
  :: else
  fi
}

#define talks (integrator == CONDUCTS && closed < STEPS || integrator == HALTS || integrator == STOPS)
#define waits_for(s) (integrator == CONDUCTS -> !answered[s] : !agreed[s])

#ifdef GO_ON_WITHOUT_ALL
#define complete any(answered)
#else
#define complete all(answered)
#endif

/* All results and the step's end in one durable write, before the next targets go out. */
inline close_step() {
  result[at(0, closed)] = answer[0];
  result[at(1, closed)] = answer[1];
  closed++;
  forget_answers()
}

inline advance() {
  if
  :: closed < STEPS && complete -> close_step()
  :: else
  fi;
  if
  :: integrator == CONDUCTS && closed == STEPS -> go_to(STOPS)
  :: integrator == HALTS && all(agreed) && final -> go_to(STOPS)
  :: integrator == HALTS && all(agreed) && !final -> go_to(HELD)
  :: integrator == STOPS && all(agreed) -> integrator = DONE
  :: else
  fi
}

inline abandon() {
  troubles--; go_to(DEAD); final = false; forget_answers();
  linked[0] = false; linked[1] = false
}

proctype Integrator() {
  mtype kind;
  byte a, b, s;
  do
  :: d_step { integrator != DEAD && up[0]?[kind, a, b] ->
       up[0]?kind, a, b; hear(0, kind, a, b); advance(); kind = 0; a = 0; b = 0 }
  :: d_step { integrator != DEAD && up[1]?[kind, a, b] ->
       up[1]?kind, a, b; hear(1, kind, a, b); advance(); kind = 0; a = 0; b = 0 }
  /* What it waits for it says again when nothing is on its way. */
  :: d_step { talks && waits_for(0) && quiet(0) -> say(0) }
  :: d_step { talks && waits_for(1) && quiet(1) -> say(1) }
  /* The operator: hold, and then resume or stop; stop; and resume of a run that died. */
  :: d_step { troubles > 0 && integrator == CONDUCTS && closed < STEPS ->
       troubles--; go_to(HALTS); final = false }
  :: d_step { troubles > 0 && integrator == CONDUCTS && closed < STEPS ->
       troubles--; go_to(HALTS); final = true }
  :: d_step { integrator == HELD -> go_to(STOPS); final = true }
  :: d_step { integrator == HELD -> go_to(CONDUCTS); permit(); advance() }
  :: d_step { troubles > 0 && integrator != DEAD && integrator != DONE -> abandon() }
  :: d_step { troubles > 0 && integrator != DEAD && integrator != DONE &&
              (talked_to(0) || talked_to(1)) ->
       abandon(); drain(down[0]); drain(down[1]); drain(up[0]); drain(up[1]) }
  :: d_step { integrator == DEAD -> integrator = CONDUCTS; permit(); advance() }
  :: integrator == DONE -> break
  od;
  skip;
  /* What a site kept of the closed steps is what the integrator ends with. */
  d_step {
    s = 0;
    do
    :: s < SITES ->
       a = 0;
       do
       :: a < closed ->
          assert(result[at(s, a)] > 0 && result[at(s, a)] == kept_value[at(s, a)]);
          a++
       :: else -> break
       od;
       assert(kept[s] >= closed && kept[s] <= closed + 1);
       s++
    :: else -> break
    od;
    assert(final || closed == STEPS)
  }
}

/* Loses what comes next, and takes a copy that it delivers at any time later: so a message
   comes twice, and after what was said later. */
mtype copy_kind;
byte copy_a, copy_b, copy_to;

inline take_copy(channel, line) {
  troubles--;
  channel?<copy_kind, copy_a, copy_b>;
  copy_to = line
}

inline deliver(channel) {
  channel!copy_kind(copy_a, copy_b);
  copy_kind = 0; copy_a = 0; copy_b = 0; copy_to = 0
}

#define held_back(line) (copy_kind != 0 && copy_to == line)

proctype Network() {
  mtype kind;
  byte a, b;
  do
  :: d_step { troubles > 0 && nempty(down[0]) -> troubles--; down[0]?kind, a, b; kind = 0; a = 0; b = 0 }
  :: d_step { troubles > 0 && nempty(down[1]) -> troubles--; down[1]?kind, a, b; kind = 0; a = 0; b = 0 }
  :: d_step { troubles > 0 && nempty(up[0]) -> troubles--; up[0]?kind, a, b; kind = 0; a = 0; b = 0 }
  :: d_step { troubles > 0 && nempty(up[1]) -> troubles--; up[1]?kind, a, b; kind = 0; a = 0; b = 0 }
  :: d_step { troubles > 0 && copy_kind == 0 && nempty(down[0]) -> take_copy(down[0], 0) }
  :: d_step { troubles > 0 && copy_kind == 0 && nempty(down[1]) -> take_copy(down[1], 1) }
  :: d_step { troubles > 0 && copy_kind == 0 && nempty(up[0]) -> take_copy(up[0], 2) }
  :: d_step { troubles > 0 && copy_kind == 0 && nempty(up[1]) -> take_copy(up[1], 3) }
  :: d_step { held_back(0) && nfull(down[0]) -> deliver(down[0]) }
  :: d_step { held_back(1) && nfull(down[1]) -> deliver(down[1]) }
  :: d_step { held_back(2) && nfull(up[0]) -> deliver(up[0]) }
  :: d_step { held_back(3) && nfull(up[1]) -> deliver(up[1]) }
  :: integrator == DONE -> break
  od
}

init {
  atomic { run Site(0); run Site(1); run Integrator(); run Network() }
}
