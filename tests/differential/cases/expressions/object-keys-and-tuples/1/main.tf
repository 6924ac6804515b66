locals {
  k   = "key"
  obj = { k = "deep" }
}
output "bare" { value = { a = 1, b-c = 2, _d = 3, é = 4 } }
output "quoted" { value = { "a b" = 1, "" = 2, "a.b" = 3, "\u00e9" = 4 } }
output "template" { value = { "x-${local.k}" = 1, "${local.k}" = 2 } }
output "parenthesised" { value = { (local.k) = 1, (local.obj.k) = 2, ("a${1}") = 3 } }
output "traversal" { value = { (local.obj["k"]) = 1 } }
output "numbers" { value = { 1 = "a", 2.5 = "b", 1e3 = "c" } }
output "words" { value = { true = 1, false = 2, null = 3 } }
output "keyword_parenthesised" { value = { (true) = 1, (1 + 1) = 2 } }
output "calls" { value = { upper("a") = 1, (lower("B")) = 2 } }
output "colon" { value = { a : 1, "b" : 2, (local.k) : 3 } }
output "mixed" { value = { a = 1, b : 2
    c = 3 } }
output "lines" {
  value = {

    a = 1 # comment
    // other
    b = 2, /* inline */

    c = 3 /* after */
    d = [ # opening
      1, # one

      2
      # before end
      ,
    ]
  }
}
output "trailing" { value = [1, 2, ] }
output "trailing_object" { value = { a = 1, } }
output "trailing_call" { value = max(1, 2, ) }
output "duplicate" { value = { a = 1, "a" = 2, (lower("A")) = 3 } }
output "multi_line_value" {
  value = { a = (1
      + 2
    )
    b = [
      1
      , 2]
  }
}
output "nested" { value = [[[]], [{}], { a = [{ b = {} }] }] }
output "conditional_key" { value = { (true ? "a" : "b") = 1 } }
output "normalised" { value = { "e\u0301" = 1, "é" = 2 } }
output "in_index" { value = { a = { b = 1 } }["a"]["b"] }
output "expansion" { value = [max([1, 5, 2]...), concat([[1], [2]]...), format("%s-%s", ["a", "b"]...), merge([{ a = 1 }, { b = 2 }]...), max(tolist([3])...), coalesce(["", "x"]...)] }
output "expansion_mixed" { value = [max(9, [1, 5]...), format("%s %s", "a", ["b"]...)] }
output "parentheses" {
  value = (
    1
    +
    2
    ==
    3
    ? "yes"
    : "no"
  )
}
output "deep_parentheses" { value = ((((((((((1)))))))))) }
