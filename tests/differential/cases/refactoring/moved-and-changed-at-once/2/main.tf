resource "terraform_data" "updated" {
  input = 2
}
resource "terraform_data" "replaced" {
  triggers_replace = 2
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "fewer" {
  count = 2
}
resource "terraform_data" "reader" {
  input = [terraform_data.updated.id, terraform_data.replaced.id]
}
moved {
  from = terraform_data.update
  to   = terraform_data.updated
}
moved {
  from = terraform_data.replace
  to   = terraform_data.replaced
}
moved {
  from = terraform_data.too_many
  to   = terraform_data.fewer
}
