override_resource {
  target = random_pet.p
  values = {
    id = "given"
  }
}
run "one" {
  assert {
    condition     = output.pet == "given"
    error_message = output.pet
  }
}
