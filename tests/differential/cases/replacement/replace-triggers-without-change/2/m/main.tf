resource "terraform_data" "a" {
  lifecycle { replace_triggered_by = [terraform_data.b["x"].id] }
}
resource "terraform_data" "b" { count = 1 }
