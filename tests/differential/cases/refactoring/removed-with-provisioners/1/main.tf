module "m" {
  source = "./m"
}
resource "terraform_data" "single" {
  input = "single"
}
resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
  input    = each.key
}
resource "terraform_data" "fails" {
  input = "fails"
}
