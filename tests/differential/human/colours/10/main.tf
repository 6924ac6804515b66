resource "terraform_data" "r" {
  input = nothing.here
  other = 1
}
