output "tostring" { value = [tostring(1), tostring(1.50), tostring(true), tostring("x"), tostring(null), tostring(1e21)] }
output "tonumber" { value = [tonumber("1.50"), tonumber(5), tonumber("-0.0"), tonumber(null), tonumber("1e5")] }
output "tobool" { value = [tobool("true"), tobool("false"), tobool(true), tobool(null), tobool("1"), tobool("0")] }
output "tolist" { value = [tolist(["a", 1, true]), tolist([]), tolist([[1], ["a"]])] }
output "tolist_of_set" { value = tolist(toset(["b", "a"])) }
output "tolist_of_objects" { value = tolist([{ a = 1 }, { a = "x" }]) }
output "toset" { value = toset(["a", 1, "a"]) }
output "toset_numbers" { value = toset([3, 1, 2, 1]) }
output "toset_empty" { value = toset([]) }
output "tomap" { value = tomap({ a = 1, b = "x" }) }
output "tomap_of_lists" { value = tomap({ a = [1], b = ["x", true] }) }
output "tomap_empty" { value = tomap({}) }
output "mixed_collection" { value = tolist([null, "a"]) }
output "nested" { value = tomap({ a = { x = 1, y = null }, b = { x = "2", y = "z" } }) }
output "issensitive" { value = [issensitive("x"), issensitive(sensitive("x"))] }
output "nonsensitive" { value = [nonsensitive(sensitive("x")), nonsensitive("plain")] }
output "sensitive_number" {
  value     = sensitive(5)
  sensitive = true
}
output "convert_in_template" { value = "${true}${1}${null == null}" }
