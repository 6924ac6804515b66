resource "terraform_data" "c" {
  depends_on = [terraform_data.c]
}
