resource "terraform_data" "a" {
  count = 1
  lifecycle { replace_triggered_by = [terraform_data.b[each.key].output, terraform_data.b[count.index].output[0], terraform_data.b[*]] }
}
resource "terraform_data" "b" { count = 1 }
