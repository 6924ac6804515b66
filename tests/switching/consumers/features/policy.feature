Feature: Everything has what it needs

  Scenario: Data has an input
    Given I have terraform_data defined
    Then it must contain input

  Scenario: Offsets are short
    Given I have time_offset defined
    When it contains offset_days
    Then its value must be less than 2

  Scenario: The provider is pinned
    Given I have time provider configured
    Then it must contain version

  Scenario: A variable has a default
    Given I have name variable configured
    Then it must contain default

  Scenario: A resource is found by its address
    Given I have any resource defined
    When its address is terraform_data.one
    Then it must contain triggers_replace
