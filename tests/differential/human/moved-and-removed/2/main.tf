resource "terraform_data" "new" {
  input = "same"
}
resource "terraform_data" "renamed" {
  input = "after"
}
moved {
  from = terraform_data.old
  to   = terraform_data.new
}
moved {
  from = terraform_data.changed
  to   = terraform_data.renamed
}
removed {
  from = terraform_data.forgotten
  lifecycle {
    destroy = false
  }
}
