#include "observe/document/html_document.h"

#include <sodium/utils.h>

#include "observe/plot/svg_writer.h"

namespace trestle::document {
namespace {

constexpr std::string_view kStyle = R"(
:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0 auto;padding:24px 20px 60px;max-width:820px;background:#fff;color:#1b1f24;
font:14px/1.45 system-ui,"DejaVu Sans",sans-serif}
h1{font-size:15px;margin:0 0 10px;color:#57606a;font-weight:normal}
h2{font-size:19px;margin:34px 0 8px;padding-top:10px;border-top:2px solid #1b1f24}
h3{font-size:15px;margin:22px 0 6px}
p{margin:6px 0 10px}
ul{margin:6px 0 10px;padding-left:22px}
.verdict{display:flex;gap:14px;align-items:flex-start;font-size:19px;line-height:1.35;
margin:0 0 14px;padding:14px 16px;border:1px solid;border-left-width:8px}
.verdict .lamp{flex:none;font-weight:bold;white-space:nowrap}
.good{background:#e6f4ee;border-color:#00664d}.good .lamp{color:#00664d}
.attention{background:#fff4dc;border-color:#8a5200}.attention .lamp{color:#8a5200}
.bad{background:#fdeae4;border-color:#a8321a}.bad .lamp{color:#a8321a}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:1px;
background:#c9ced4;border:1px solid #c9ced4;margin:0 0 14px}
.figures div{background:#fff;padding:8px 12px}
.figures .label,.figures .detail{color:#57606a;font-size:12px}
.figures .value{font-size:25px;font-weight:bold;line-height:1.25}
nav ol{columns:2;margin:4px 0 0;padding-left:22px}
nav a{color:#005a8c}
table{border-collapse:collapse;margin:8px 0 14px;width:100%;font-size:12.5px}
caption{text-align:left;color:#57606a;padding:2px 0 4px}
th,td{padding:3px 5px;text-align:right;vertical-align:top;border-bottom:1px solid #e3e6ea;
font-variant-numeric:tabular-nums}
thead th{border-bottom:1px solid #57606a;vertical-align:bottom}
tbody th{font-weight:normal;text-align:left}
th:first-child,.words{text-align:left}
th:first-child,thead .words{overflow-wrap:break-word}tbody .words{overflow-wrap:anywhere}
td:not(.words){white-space:nowrap}
figure{margin:10px 0 16px;break-inside:avoid}
figure svg{display:block;width:100%;height:auto}
figcaption{color:#57606a;font-size:12.5px}
pre{font:11px/1.4 "DejaVu Sans Mono",monospace;white-space:pre-wrap;overflow-wrap:anywhere;
background:#f6f7f9;border:1px solid #e3e6ea;padding:8px 10px}
.wide{overflow-x:auto}
@page{size:A4;margin:16mm 14mm}
@media print{body{padding:0;max-width:none;font-size:10pt}h2,h3,caption{break-after:avoid}
tr{break-inside:avoid}nav{break-inside:avoid}a{color:inherit;text-decoration:none}}
)";

/// By the first bytes of the file; empty: neither PNG nor JPEG.
std::string_view picture_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  return {};
}

std::string base64(std::string_view bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(),
                    reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                    kVariant);
  text.pop_back();  // the zero at its end
  return text;
}

struct OutcomeLook {
  const char* name;
  const char* lamp;
};

OutcomeLook look_of(OutcomeKind outcome) {
  switch (outcome) {
    case OutcomeKind::kGood:
      return {"good", "\u2714"};
    case OutcomeKind::kAttention:
      return {"attention", "\u25B2"};
    case OutcomeKind::kBad:
      break;
  }
  return {"bad", "\u2716"};
}

}  // namespace

HtmlDocument::HtmlDocument(std::string_view title, std::string_view generator) {
  head_ =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"" +
      plot::escape_markup(generator) +
      "\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; img-src data:\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>" +
      plot::escape_markup(title) + "</title>\n<style>" + std::string(kStyle) +
      "</style>\n</head>\n<body>\n";
  summary_ = "<h1>" + plot::escape_markup(title) + "</h1>\n";
}

void HtmlDocument::verdict(OutcomeKind outcome, std::string_view sentence) {
  const OutcomeLook look = look_of(outcome);
  summary_ += std::string("<p class=\"verdict ") + look.name +
              "\"><span class=\"lamp\" aria-hidden=\"true\">" + look.lamp +
              "</span><span>" + plot::escape_markup(sentence) + "</span></p>\n";
}

void HtmlDocument::key_figures(const std::vector<KeyFigure>& figures) {
  if (figures.empty()) return;
  summary_ += "<div class=\"figures\">\n";
  for (const KeyFigure& figure : figures)
    summary_ += "<div><div class=\"label\">" + plot::escape_markup(figure.label) +
                "</div><div class=\"value\">" + plot::escape_markup(figure.value) +
                "</div><div class=\"detail\">" + plot::escape_markup(figure.detail) +
                "</div></div>\n";
  summary_ += "</div>\n";
}

void HtmlDocument::chapter(std::string_view title) {
  const std::string id = "c" + std::to_string(++chapters_);
  contents_ += "<li><a href=\"#" + id + "\">" + plot::escape_markup(title) + "</a></li>\n";
  body_ += "<h2 id=\"" + id + "\">" + plot::escape_markup(title) + "</h2>\n";
}

void HtmlDocument::heading(std::string_view title) {
  body_ += "<h3>" + plot::escape_markup(title) + "</h3>\n";
}

void HtmlDocument::paragraph(std::string_view text) {
  if (!text.empty()) body_ += "<p>" + plot::escape_markup(text) + "</p>\n";
}

void HtmlDocument::list(const std::vector<std::string>& items) {
  if (items.empty()) return;
  body_ += "<ul>\n";
  for (const std::string& item : items)
    body_ += "<li>" + plot::escape_markup(item) + "</li>\n";
  body_ += "</ul>\n";
}

void HtmlDocument::table(const HtmlTable& table) {
  if (table.rows.empty()) return;
  const auto class_of = [&table](std::size_t column) {
    return column > 0 && column >= table.words_from ? " class=\"words\"" : "";
  };
  body_ += "<div class=\"wide\"><table>\n";
  if (!table.caption.empty())
    body_ += "<caption>" + plot::escape_markup(table.caption) + "</caption>\n";
  body_ += "<thead><tr>";
  for (std::size_t i = 0; i < table.heads.size(); ++i)
    body_ += std::string("<th scope=\"col\"") + class_of(i) + ">" +
             plot::escape_markup(table.heads[i]) + "</th>";
  body_ += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    body_ += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      body_ += i == 0 ? "<th scope=\"row\">" + plot::escape_markup(row[i]) + "</th>"
                      : std::string("<td") + class_of(i) + ">" +
                            plot::escape_markup(row[i]) + "</td>";
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void HtmlDocument::picture(std::string_view svg, std::string_view caption) {
  body_ += "<figure>\n" + std::string(svg);
  if (!caption.empty())
    body_ += "<figcaption>" + plot::escape_markup(caption) + "</figcaption>\n";
  body_ += "</figure>\n";
}

void HtmlDocument::photo(std::string_view bytes, std::string_view caption) {
  const std::string_view kind = picture_type(bytes);
  if (kind.empty()) return;
  body_ += "<figure>\n<img style=\"display:block;max-width:100%;height:auto\" alt=\"" +
           plot::escape_markup(caption) + "\" src=\"data:" + std::string(kind) +
           ";base64," + base64(bytes) + "\">\n<figcaption>" + plot::escape_markup(caption) +
           "</figcaption>\n</figure>\n";
}

void HtmlDocument::file_text(std::string_view name, std::string_view text) {
  heading(name);
  body_ += "<pre>" + plot::escape_markup(text) + "</pre>\n";
}

std::string HtmlDocument::finish() {
  std::string contents;
  if (chapters_ > 1)
    contents = "<nav aria-label=\"Contents\"><ol>\n" + contents_ + "</ol></nav>\n";
  return head_ + "<header>\n" + summary_ + "</header>\n" + contents + "<main>\n" + body_ +
         "</main>\n</body>\n</html>\n";
}

}  // namespace trestle::document
