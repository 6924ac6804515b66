mock_provider "random" {
  mock_resource "random_pet" {
    defaults = {
      id = 12
    }
  }
}
run "one" {
  assert {
    condition     = output.pet == "13"
    error_message = "is ${output.pet}"
  }
}
