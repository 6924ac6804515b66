resource "terraform_data" "a" {
  input = 2
}

resource "terraform_data" "many" {
  count = terraform_data.a.output
  input = count.index
}

resource "terraform_data" "after" {
  input = length(terraform_data.many)
}

module "m" {
  source   = "./m"
  for_each = toset(terraform_data.a.output == 2 ? ["x"] : [])
  v        = "known"
}

output "n" {
  value = length(terraform_data.many)
}
