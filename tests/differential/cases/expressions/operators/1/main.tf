output "logic" { value = [true && false, true || false, !true, true && "true", !"false"] }
output "compare" { value = [1 < 2, 2 <= 2, 3 > 4, "10" > "9", 4 >= 5] }
output "equal_types" { value = [1 == "1", true == "true", "a" == "a", null == "a"] }
output "equal_collections" { value = [[] == [], [1] == [1], [1] == tolist([1]), {} == {}, { a = 1 } == { a = 1 }, { a = 1 } == tomap({ a = 1 })] }
output "equal_sets" { value = [toset(["a", "b"]) == toset(["b", "a"]), toset([1]) == toset(["1"])] }
output "precedence" { value = [true || false && false, 1 + 1 == 2 && 2 < 3, !false == true] }
output "strings" { value = ["\u00e4" == "a\u0308", "a" != "b"] }
