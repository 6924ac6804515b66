resource "terraform_data" "r" {
  input = { a = 1 }
}
resource "terraform_data" "count" {
  count = length(terraform_data.r.output)
}
resource "terraform_data" "keys" {
  for_each = { (terraform_data.r.id) = 1 }
}
resource "terraform_data" "set" {
  for_each = toset([terraform_data.r.id])
}
resource "terraform_data" "map" {
  for_each = terraform_data.r.output
}
data "terraform_remote_state" "d" {
  for_each = toset(["a", terraform_data.r.id])
  backend  = "local"
}
module "count" {
  source = "./m"
  count  = terraform_data.r.id == "" ? 1 : 2
}
module "each" {
  source   = "./m"
  for_each = toset(split(",", terraform_data.r.id))
}
resource "terraform_data" "values" {
  for_each = { a = terraform_data.r.id }
  input    = each.value
}
