resource "terraform_data" "update" {
  input = 1
}
resource "terraform_data" "replace" {
  triggers_replace = 1
}
resource "terraform_data" "too_many" {
  count = 3
}
resource "terraform_data" "reader" {
  input = [terraform_data.update.id, terraform_data.replace.id]
}
