resource "terraform_data" "a" {
  count = 1
}
resource "terraform_data" "index" {
  lifecycle {
    replace_triggered_by = [terraform_data.a[5]]
  }
}
resource "terraform_data" "no_key" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.id]
  }
}
