resource "terraform_data" "a" {
  count = 2
}

resource "terraform_data" "b" {
  input = terraform_data.a[0].id
}

resource "terraform_data" "keep" {
  input = terraform_data.b.id
  count = 2
}

module "m" {
  source = "./m"
  x      = terraform_data.a[0].id
}

output "gone" {
  value = 1
}
