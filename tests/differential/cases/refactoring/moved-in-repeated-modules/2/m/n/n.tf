resource "terraform_data" "inner" {
  count = 1
}
resource "terraform_data" "split" {
}
moved {
  from = terraform_data.inner[1]
  to   = terraform_data.split
}
