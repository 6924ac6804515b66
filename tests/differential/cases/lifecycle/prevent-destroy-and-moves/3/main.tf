moved {
  from = terraform_data.protected
  to   = terraform_data.nowhere
}
resource "terraform_data" "free" {
  input = 2
}
