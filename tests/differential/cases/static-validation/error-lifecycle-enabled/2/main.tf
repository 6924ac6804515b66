resource "terraform_data" "source" {
}
resource "terraform_data" "unknown" {
  lifecycle {
    enabled = terraform_data.source.id == "x"
  }
}
module "unknown" {
  source = "./m"
  lifecycle {
    enabled = terraform_data.source.id == "x"
  }
}
