resource "terraform_data" "r" {
  input = { list = [1, "two"], text = "line 1\nline 2" }
}
module "m" {
  source = "./m"
}
