override_resource {
  target          = random_pet.p
  override_during = plan
  values = {
    id = "planned"
  }
}
override_resource {
  target = random_id.i
}
run "one" {
  command = plan
  assert {
    condition     = output.pet == "planned"
    error_message = "no"
  }
  assert {
    condition     = random_id.i.hex != ""
    error_message = "no"
  }
}
run "two" {
  assert {
    condition     = output.pet == "planned" && length(random_id.i.hex) == 8
    error_message = "no"
  }
}
