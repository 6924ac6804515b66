resource "terraform_data" "after" {
  count = 1
}
resource "terraform_data" "only" {}
moved {
  from = terraform_data.both
  to   = terraform_data.after[0]
}
moved {
  from = terraform_data.source
  to   = terraform_data.only
}
