mock_provider "random" {
  mock_resource "random_pet" {
    defaults = {
      id = "mocked"
    }
  }
}
run "one" {
  assert {
    condition     = output.pet == "mocked"
    error_message = "is ${output.pet}"
  }
  assert {
    condition     = length(random_id.i.hex) == 8 && random_id.i.dec != ""
    error_message = "made up"
  }
}
run "plan" {
  command = plan
  assert {
    condition     = random_pet.p.id == "mocked"
    error_message = "kept"
  }
}
