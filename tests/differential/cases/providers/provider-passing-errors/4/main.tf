resource "random_integer" "n" {
  provider = random.missing
  min = 1
  max = 1
}
resource "random_integer" "m" {
  provider = "random"
  min = 1
  max = 1
}
resource "random_integer" "o" {
  provider = random["a"]
  min = 1
  max = 1
}
resource "random_integer" "p" {
  provider = random.a.b
  min = 1
  max = 1
}
resource "random_integer" "q" {
  provider = terraform_data
  min = 1
  max = 1
}
