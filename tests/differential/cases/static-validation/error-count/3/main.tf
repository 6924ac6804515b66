resource "terraform_data" "source" {}
resource "terraform_data" "unknown" {
  count = length(terraform_data.source.id)
}
module "unknown" {
  source = "./m"
  count  = length(terraform_data.source.id)
}
