resource "terraform_data" "a" { input = "x" }
output "a" { value = terraform_data.a.output.nope.deeper }
output "b" { value = terraform_data.a.output[5] }
output "c" { value = terraform_data.a.output + 1 }
output "d" { value = [for k, v in terraform_data.a.output : v] }
output "e" { value = "${terraform_data.a.output}-x" }
output "f" { value = terraform_data.a.output ? 1 : 2 }
output "g" { value = keys(terraform_data.a.output) }
output "h" { value = terraform_data.a.output[*].x }
output "i" { value = merge(terraform_data.a.output, { a = 1 }) }
output "j" { value = toset(terraform_data.a.output) }
output "k" { value = { for x in terraform_data.a.output : x => x... } }
