"""What can be asked of the mailbox, a module for each verb."""
