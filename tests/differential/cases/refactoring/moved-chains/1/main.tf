resource "terraform_data" "a" {
  input = "a"
}
resource "terraform_data" "into" {
  input = "into"
}
module "out" {
  source = "./m"
}
module "old" {
  source = "./m"
}
