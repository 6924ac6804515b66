mock_provider "random" {
  source = "./mocks"
  mock_resource "random_pet" {
    defaults = {
      id = "from test"
    }
  }
}
run "one" {
  assert {
    condition     = output.pet == "from test" && random_id.i.hex == "abcd"
    error_message = "is ${output.pet}"
  }
}
