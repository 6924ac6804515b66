mock_provider "random" {
  override_during = plan
  mock_resource "random_pet" {
    defaults = {
      id        = "planned"
      separator = "."
    }
  }
  mock_resource "random_id" {
    override_during = apply
    defaults = {
      hex = "00"
    }
  }
}
run "one" {
  command = plan
  assert {
    condition     = output.pet == "planned"
    error_message = "is ${output.pet}"
  }
  assert {
    condition     = random_id.i.hex == "00"
    error_message = "unknown"
  }
}
run "two" {
  assert {
    condition     = random_id.i.hex == "00" && output.pet == "planned"
    error_message = "no"
  }
}
