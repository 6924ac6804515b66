resource "terraform_data" "source" {}
resource "terraform_data" "unknown_set" {
  for_each = toset([terraform_data.source.id])
}
resource "terraform_data" "unknown_map" {
  for_each = { (terraform_data.source.id) = 1 }
}
