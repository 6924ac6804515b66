resource "terraform_data" "now_free" {
  triggers_replace = 1
}
resource "terraform_data" "now_protected" {
  triggers_replace = 1
  lifecycle {
    prevent_destroy = true
  }
}
moved {
  from = terraform_data.protected
  to   = terraform_data.now_free
}
moved {
  from = terraform_data.free
  to   = terraform_data.now_protected
}
