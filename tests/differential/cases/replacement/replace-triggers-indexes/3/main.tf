resource "terraform_data" "a" {
  lifecycle { replace_triggered_by = [terraform_data.b[0 + 0], terraform_data.b[foo()], terraform_data.b["${count.index}"], terraform_data.b[count.index + 1]] }
}
resource "terraform_data" "b" { count = 1 }
