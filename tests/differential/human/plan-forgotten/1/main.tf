resource "terraform_data" "kept" {
  input = { a = [1, 2], b = "x" }
}
resource "terraform_data" "counted" {
  count = 2
}
resource "terraform_data" "destroyed" {
  input = "bye"
}
module "m" {
  source = "./m"
}
