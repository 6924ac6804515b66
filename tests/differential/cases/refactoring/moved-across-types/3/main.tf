moved {
  from = random_pet.p
  to   = terraform_data.p
}
resource "terraform_data" "p" {
}
resource "null_resource" "keep" {
}
resource "random_pet" "other" {
}
