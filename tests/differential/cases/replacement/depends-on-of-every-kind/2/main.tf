resource "terraform_data" "a" {
  count = 2
}
module "m" {
  source = "./m"
}
resource "terraform_data" "instance" {
}
resource "terraform_data" "module" {
  depends_on = [terraform_data.instance]
}
