#pragma once
namespace xq::rules {
struct Facts;
}  // namespace xq::rules
