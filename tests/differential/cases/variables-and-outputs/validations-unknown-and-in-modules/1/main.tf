resource "terraform_data" "id" { input = "value" }
module "m" {
  source   = "./m"
  for_each = { good = terraform_data.id.output, other = "other" }
  in       = each.value
}
