// IntrusiveList<Tag>: a circular doubly linked list whose links are base classes of the members. Linking and unlinking
// allocate nothing and cost O(1). Not thread-safe; owns nothing; a member unlinks itself when it dies.
#pragma once

namespace stint::net {

template <typename Tag>
class IntrusiveLink {
 public:
  IntrusiveLink() = default;
  IntrusiveLink(const IntrusiveLink&) = delete;
  IntrusiveLink& operator=(const IntrusiveLink&) = delete;
  ~IntrusiveLink() { unlink(); }

  void unlink() {
    next_->previous_ = previous_;
    previous_->next_ = next_;
    next_ = previous_ = this;
  }
  bool linked() const { return next_ != this; }

 private:
  template <typename, typename>
  friend class IntrusiveList;

  IntrusiveLink* next_ = this;
  IntrusiveLink* previous_ = this;
};

template <typename T, typename Tag>
class IntrusiveList {
 public:
  bool empty() const { return !head_.linked(); }
  T* front() { return empty() ? nullptr : static_cast<T*>(head_.next_); }
  void push_back(T& item) {
    IntrusiveLink<Tag>& link = item;
    link.previous_ = head_.previous_;
    link.next_ = &head_;
    head_.previous_->next_ = &link;
    head_.previous_ = &link;
  }

 private:
  IntrusiveLink<Tag> head_;
};

}  // namespace stint::net
