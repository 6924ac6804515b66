resource "terraform_data" "old" {
  input = "same"
}
resource "terraform_data" "old_changing" {
  input = "before"
}
module "one" {
  source = "./m"
}
