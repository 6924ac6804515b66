resource "terraform_data" "a" { input = "x" }
output "a" { value = terraform_data.a.id + 1 }
output "b" { value = terraform_data.a.id.x }
output "c" { value = terraform_data.a.id[0] }
output "d" { value = terraform_data.a.nope }
output "e" { value = [terraform_data.a.id][1] }
output "f" { value = "${[terraform_data.a.id]}" }
output "g" { value = upper([terraform_data.a.id]) }
output "h" { value = { a = terraform_data.a.id }.b }
output "i" { value = [for x in terraform_data.a.id : x] }
output "j" { value = terraform_data.a.id ? 1 : 2 }
output "k" { value = !terraform_data.a.id }
output "l" { value = length(terraform_data.a.id) + "x" }
output "m" { value = terraform_data.a.id == "" ? [1] : { a = 1 } }
output "n" { value = max(terraform_data.a.id, []) }
