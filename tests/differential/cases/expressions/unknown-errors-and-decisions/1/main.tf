resource "terraform_data" "a" { input = "x" }
resource "terraform_data" "c" {
  count = length(terraform_data.a.output)
}
resource "terraform_data" "e" {
  for_each = toset([terraform_data.a.id])
}
resource "terraform_data" "m" {
  for_each = { (terraform_data.a.id) = 1 }
}
resource "terraform_data" "o" {
  for_each = terraform_data.a.output
}
module "mod" {
  source = "./m"
  count  = terraform_data.a.id == "x" ? 1 : 0
}
