resource "terraform_data" "a" {
  lifecycle { replace_triggered_by = [terraform_data.c, terraform_data.b.nope, terraform_data.b[0].nope, terraform_data.b[0].id.x] }
}
resource "terraform_data" "b" { count = 1 }
