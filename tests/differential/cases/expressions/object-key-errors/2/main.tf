locals {
  k = "a"
  n = null
}
output "list" { value = { ([]) = 1 } }
output "object" { value = { ({}) = 1 } }
output "null" { value = { (local.n) = 1 } }
output "null_template" { value = { "${null}" = 1 } }
output "expansion" { value = max("x"...) }
output "expansion_null" { value = max(null...) }
output "expansion_object" { value = max({ a = 1 }...) }
output "expansion_set" { value = max(toset([1, 2])...) }
output "expansion_few" { value = format([]...) }
output "expansion_many" { value = upper(["a", "b"]...) }
output "expansion_wrong" { value = upper([["a"]]...) }
output "expansion_element" { value = max([1, "x"]...) }
output "value_error" { value = { a = [][0], b = {}.c } }
