resource "terraform_data" "w" { for_each = toset(["a"]) }
output "ids" { value = [for x in terraform_data.w : x.id] }
