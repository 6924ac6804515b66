mock_provider "random" {
  mock_resource "random_pet" {
    defaults = {
      id    = ["a"]
      nope  = 1
    }
  }
}
run "one" {
}
