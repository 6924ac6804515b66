resource "terraform_data" "x" {
  input = "x"
}
resource "terraform_data" "z" {
  for_each = toset(["p", "q"])
}
moved {
  from = terraform_data.y[0]
  to   = terraform_data.z["p"]
}
moved {
  from = terraform_data.y[1]
  to   = terraform_data.z["q"]
}
