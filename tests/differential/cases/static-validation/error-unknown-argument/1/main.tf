resource "terraform_data" "r" {
  imput = "x"
  other = 1
}
