#pragma once
// What both score sheets show of a record, as texts in one language. Private to the folder.
#include "rules/record/sheet.hpp"

namespace xq::rules::record {

struct SheetMove {
    std::string text;  ///< empty: there is none
    std::string spent;
};
struct SheetRow {
    int round = 0;
    SheetMove red;
    SheetMove black;
};
struct SheetRemark {
    std::string where;  ///< "12. 黑"; empty: before the first move
    std::string text;
};
/// A label with what it says of both sides; a blank to be filled in by hand where it is empty.
struct SheetTotal {
    std::string label;
    std::string red;
    std::string black;
};

struct SheetParts {
    std::string title;
    bool titled = false;                                     ///< by the record, not by what it is
    std::vector<std::pair<std::string, std::string>> facts;  ///< label and value
    std::string red;
    std::string black;
    std::string marks;   ///< "1 : 0", "½ : ½"; of a game not played "+ : −"; empty: open
    std::string result;  ///< in words, with the reason
    std::vector<SheetRow> rows;
    std::vector<SheetRemark> remarks;
    std::vector<SheetTotal> totals;
};
SheetParts sheet_parts(const GameRecord& record, Language language);

/// The words that only the sheets use.
namespace sheet_words {
using words::Both;
inline const Both red{"红方", "Red"};
inline const Both black{"黑方", "Black"};
inline const Both round{"回合", "No."};
inline const Both spent{"用时", "Time"};
inline const Both remarks{"裁决与备注", "Rulings and remarks"};
inline const Both result{"结果", "Result"};
inline const Both signature{"签名", "signature"};
inline const Both arbiter{"裁判员", "Arbiter"};
inline const Both open{"未完", "unfinished"};
}  // namespace sheet_words

}  // namespace xq::rules::record
