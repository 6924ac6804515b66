locals {
  null_list = tolist(null)
  objects   = [{ a = 1 }, { b = 2 }]
}
output "text" { value = [for x in "abc" : x] }
output "bool" { value = { for x in true : x => x } }
output "null" { value = [for x in null : x] }
output "null_list" { value = [for x in local.null_list : x] }
output "key_list" { value = { for x in [["a"]] : x => x } }
output "key_null" { value = { for x in [null, null] : x => x } }
output "key_typed_null" { value = { for x in [tostring(null)] : x => x } }
output "duplicate" { value = { for x in ["a", "b", "a"] : x => x } }
output "duplicate_text" { value = { for x in [1, "1"] : x => x } }
output "condition_null" { value = [for x in [1] : x if null] }
output "condition_text" { value = [for x in [1] : x if "x"] }
output "condition_list" { value = { for x in [1] : x => x if [] } }
output "condition_error" { value = [for x in local.objects : 1 if x.a == 1] }
output "value_error" { value = [for x in local.objects : x.a] }
output "key_error" { value = { for x in local.objects : x.a => 1 } }
output "both_error" { value = { for x in local.objects : x.c => x.d } }
output "nested_error" { value = [for x in [1, 2] : [for y in [1, 0] : x / y]] }
output "group_value_error" { value = { for x in ["a", "b"] : "k" => x.y... } }
output "index_error" { value = [for i, x in ["a", "b"] : ["z"][i]] }
output "collection_error" { value = [for x in [][0] : x] }
output "sensitive_condition" { value = nonsensitive([for x in [1] : x if sensitive(true)]) }
output "call_error" { value = [for x in [[]] : upper(x)] }
output "call_error_template" { value = "%{ for x in ["a"] }${parseint(x, 10)}%{ endfor }" }
output "call_error_splat" { value = ["a"][*][tonumber("x")] }
