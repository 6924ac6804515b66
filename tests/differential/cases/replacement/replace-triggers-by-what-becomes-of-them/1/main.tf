resource "terraform_data" "updated" {
  input = 1
}
resource "terraform_data" "replaced" {
  triggers_replace = 1
}
resource "terraform_data" "tainted" {}
resource "terraform_data" "requested" {}
resource "terraform_data" "shrinks" {
  count = 2
}
resource "terraform_data" "before" {}
resource "terraform_data" "same" {}
resource "terraform_data" "by" {
  for_each = toset(["updated", "replaced", "tainted", "requested", "shrinks", "grows", "moved", "same"])
}
