mock_provider "random" {
  alias = "one"
  mock_resource "random_pet" {
    defaults = { id = "first" }
  }
}
mock_provider "random" {
  alias = "two"
  mock_resource "random_pet" {
    defaults = { id = "second" }
  }
}
provider "random" {
}
run "one" {
  state_key = "a"
  providers = {
    random = random.one
  }
  assert {
    condition     = output.pet == "first"
    error_message = output.pet
  }
}
run "two" {
  state_key = "b"
  providers = {
    random = random.two
  }
  assert {
    condition     = output.pet == "second"
    error_message = output.pet
  }
}
run "missing" {
  command   = plan
  state_key = "c"
  providers = {
    random = random.three
  }
}
