resource "terraform_data" "a" {
  count = 2
  lifecycle {
    replace_triggered_by = [terraform_data.b[count.index], terraform_data.c[each.key], terraform_data.d["x"]]
  }
}
resource "terraform_data" "b" {}
resource "terraform_data" "c" { for_each = {a=1} }
resource "terraform_data" "d" { for_each = {a=1} }
